import { QueryErrorResetBoundary } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { LoadFailed } from '../../shared/components/load-failed.tsx';

type BoundaryProps = Readonly<{ onReset: () => void; children: ReactNode }>;
type BoundaryState = Readonly<{ error: Error | null }>;

/** React offers no hook for this: only a class can catch what its children throw. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: null };

  static getDerivedStateFromError(error: Error): BoundaryState {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const retry = () => {
      this.props.onReset();
      this.setState({ error: null });
    };
    return (
      <div className="splash">
        <LoadFailed error={error} onRetry={retry} />
      </div>
    );
  }
}

/** Replaces the page when it cannot be shown, and offers to try again. */
export const StartFailed = ({ children }: Readonly<{ children: ReactNode }>) => (
  <QueryErrorResetBoundary>
    {({ reset }) => <Boundary onReset={reset}>{children}</Boundary>}
  </QueryErrorResetBoundary>
);
