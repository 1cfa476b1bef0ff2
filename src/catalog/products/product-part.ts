import type { PlatformScope } from '../../storage/scope.ts'

/** Records of products as the public sees them, by the product's id, in the order in which they are shown. */
export type ProductPart<T> = (platform: PlatformScope, productIds: string[]) => Promise<Map<string, T[]>>
