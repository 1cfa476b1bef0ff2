/** A zone of the domain name system that tests write into. */
export function testZone() {
  const records = new Map<string, string[]>()
  return {
    set: (type: string, name: string, ...values: string[]) => void records.set(`${type} ${name}`, values),
    remove: (type: string, name: string) => void records.delete(`${type} ${name}`),
    resolve: async (name: string, type: string): Promise<string[][]> => {
      const found = records.get(`${type} ${name.toLowerCase()}`)
      if (found === undefined) throw Object.assign(new Error('no record'), { code: 'ENOTFOUND' })
      // Longer ones come in parts, as from a name server.
      return found.map((value) => value.match(/.{1,255}/g) ?? [])
    },
  }
}
