import pg from 'pg'

const bigintOid = 20

/**
 * `bigint` is read as a number, exact up to 2^53: our bigints count bytes and rows. `numeric` stays text, so a store casts
 * the results of `sum` and `avg`. The driver reads `timestamptz` as a Date, `jsonb` as a value, `bytea` as a Buffer.
 */
export const columnTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === bigintOid ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig
