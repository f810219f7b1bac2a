import { OverlayToaster } from '@blueprintjs/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ManualCopyDialog } from '../shared/components/manual-copy-dialog.tsx';
import { ConfirmHost } from '../shared/second-factor/confirm-host.tsx';
import { attachToaster } from '../shared/toast.ts';

type Props = Readonly<{ queryClient: QueryClient; children: ReactNode }>;

export const Providers = ({ queryClient, children }: Props) => (
  <QueryClientProvider client={queryClient}>
    {children}
    <OverlayToaster ref={attachToaster} position="top" maxToasts={4} />
    <ManualCopyDialog />
    <ConfirmHost />
  </QueryClientProvider>
);
