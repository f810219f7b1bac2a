import { Suspense, useState } from 'react';
import { RouterProvider } from 'react-router-dom';
import { configureApi } from '../shared/api/client.ts';
import { paths } from '../shared/paths.ts';
import { askForConfirmation } from '../shared/second-factor/confirmation.ts';
import { clearUser } from '../shared/session.ts';
import { currentLanguage } from './i18n.ts';
import { Providers } from './providers.tsx';
import { createQueryClient } from './query-client.ts';
import { createRouter } from './router.tsx';
import { Splash } from './shell/splash.tsx';
import { StartFailed } from './shell/start-failed.tsx';

const start = () => {
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
  return { queryClient, router };
};

export const App = () => {
  const [{ queryClient, router }] = useState(start);
  return (
    <Providers queryClient={queryClient}>
      <StartFailed>
        <Suspense fallback={<Splash />}>
          <RouterProvider router={router} />
        </Suspense>
      </StartFailed>
    </Providers>
  );
};
