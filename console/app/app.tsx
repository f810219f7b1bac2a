import { Suspense } from 'react';
import { RouterProvider } from 'react-router-dom';
import { configureApi } from '../shared/api/client.ts';
import { paths } from '../shared/paths.ts';
import { askForConfirmation } from '../shared/second-factor/confirmation.ts';
import { clearUser } from '../shared/session.ts';
import { statusQuery } from '../shared/status.ts';
import { currentLanguage } from './i18n.ts';
import { Providers } from './providers.tsx';
import { createQueryClient } from './query-client.ts';
import { createRouter } from './router.tsx';
import { Splash } from './shell/splash.tsx';
import { StartFailed } from './shell/start-failed.tsx';

/** Begins to fetch what every page needs, and the code of the page at this address, before anything is drawn. */
export const openApp = () => {
  const queryClient = createQueryClient();
  const router = createRouter();
  configureApi({
    language: currentLanguage,
    confirm: askForConfirmation,
    onEnrolmentNeeded: () => void router.navigate(`${paths.personal}#second-factor`),
    onUnauthorised: () => {
      // The guard of protected pages sees that the user is gone and leads to the login page;
      // on a public page nothing moves, which avoids a redirect loop.
      clearUser('expired');
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'site' });
    },
  });
  void queryClient.prefetchQuery(statusQuery);
  return { queryClient, router };
};

type Props = Readonly<ReturnType<typeof openApp>>;

export const App = ({ queryClient, router }: Props) => (
  <Providers queryClient={queryClient}>
    <StartFailed>
      <Suspense fallback={<Splash />}>
        <RouterProvider router={router} />
      </Suspense>
    </StartFailed>
  </Providers>
);
