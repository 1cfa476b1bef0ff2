import { useQuery } from '@tanstack/react-query'
import { Status } from '../../parts/status.tsx'

type Health = { status: string; version: string | null; checks: Record<string, { status: string }> }

const renewMs = 30_000

/** Asked at its open address, as a balancer does. */
export function HealthTile() {
  const health = useQuery({
    queryKey: ['health'],
    queryFn: async () => (await fetch('/health')).json() as Promise<Health>,
    refetchInterval: renewMs,
  })
  const down = Object.entries(health.data?.checks ?? {}).filter(([, { status }]) => status === 'down')
  return (
    <div className="tile">
      <span>Health</span>
      <span>
        <Status value={health.data?.status ?? (health.error ? 'unavailable' : '...')} />
      </span>
      {down.length > 0 && <span>Down: {down.map(([name]) => name).join(', ')}</span>}
    </div>
  )
}
