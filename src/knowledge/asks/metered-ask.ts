import type { TenantScope } from '../../storage/scope.ts'
import type { Metering, Use } from '../../usage/index.ts'

type Counted = { scope: TenantScope; use: Omit<Use, 'amounts'> & { engine: 'local' | 'llm' } }

/** Counts an answer. Above a limit the local engine gives it, which costs nothing: then `answer` gets false. */
export async function meteredAsk<A extends { engine: 'local' | 'llm' }>(
  metering: Pick<Metering, 'countWithin' | 'uncount'>,
  { scope, use }: Counted,
  answer: (isWithin: boolean) => Promise<A>,
): Promise<A> {
  const counted = { ...use, amounts: { asks: 1 } }
  const isWithin = await metering.countWithin(scope, counted)
  try {
    const answered = await answer(isWithin)
    if (answered.engine === use.engine) return answered
    // The model was not asked, or failed.
    await metering.uncount(scope, counted)
    await metering.countWithin(scope, { ...counted, engine: answered.engine })
    return answered
  } catch (error) {
    await metering.uncount(scope, counted)
    throw error
  }
}
