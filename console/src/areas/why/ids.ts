/** What is asked about. Each is empty where it was not given. */
export type Ids = { keyId: string; product: string; userId: string; licenseId: string }
