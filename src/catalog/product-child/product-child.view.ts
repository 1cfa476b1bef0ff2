import type { ProductChild } from './product-child.rules.ts'

/** For the public: without the product's id and the revision. */
export function publicChildView<Fields>(child: ProductChild<Fields>) {
  const { productId: _, revision, ...shown } = adminChildView<Fields>(child)
  return shown
}

export function adminChildView<Fields>(child: ProductChild<Fields>) {
  return { ...child, createdAt: child.createdAt.toISOString(), updatedAt: child.updatedAt.toISOString() }
}
