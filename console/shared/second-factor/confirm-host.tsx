import { lazy, Suspense } from 'react';
import { useIsConfirming } from './confirmation.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await import('./confirm-dialog.tsx')).ConfirmDialog,
}));

/** Where the question for the second factor opens, over whatever page there is. */
export const ConfirmHost = () =>
  useIsConfirming() ? (
    <Suspense fallback={null}>
      <ConfirmDialog />
    </Suspense>
  ) : null;
