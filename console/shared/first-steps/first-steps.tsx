import { lazy, Suspense } from 'react';
import { useSelf } from '../account.ts';
import { useIsAdmin } from '../session.ts';

const Steps = lazy(async () => ({ default: (await import('./steps.tsx')).Steps }));

/** Leads to the first charged call of an account; gone once there was one. */
export const FirstSteps = () => {
  const isAdmin = useIsAdmin();
  const self = useSelf().data;
  if (self?.request_count !== 0) return null;
  return (
    <Suspense fallback={null}>
      <Steps isAdmin={isAdmin} />
    </Suspense>
  );
};
