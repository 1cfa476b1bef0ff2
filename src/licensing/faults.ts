import { Refusal, type RefusalCode } from '../kernel/refusal.ts'

/** A refusal that names one place of the request. `path` is a JSON pointer such as `/body/product`. */
export function faulty(
  path: string,
  { code, message, refusal = 'VALIDATION_ERROR' }: { code: string; message: string; refusal?: RefusalCode },
): Refusal {
  return new Refusal(refusal, { detail: `${path} ${message}.`, errors: [{ path, code, message }] })
}
