declare module 's3rver' {
  /** What the tests use of it. */
  class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      configureBuckets: { name: string; configs: never[] }[]
    })
    run(): Promise<unknown>
    close(): Promise<void>
  }
  export = S3rver
}
