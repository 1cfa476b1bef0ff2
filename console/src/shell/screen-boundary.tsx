import { Component, type ReactNode } from 'react'
import { Failure } from '../parts/failure.tsx'

/** A fault in a screen leaves the navigation usable. */
export class ScreenBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    return error === null ? this.props.children : <Failure error={error} onRetry={() => location.reload()} />
  }
}
