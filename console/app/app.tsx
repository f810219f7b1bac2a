import { Suspense, useState } from 'react';
import { RouterProvider } from 'react-router-dom';
import { configureApi } from '../shared/api/client.ts';
import { isPublicPath, paths } from '../shared/paths.ts';
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
    onUnauthorised: () => {
      clearUser();
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'site' });
      // On a public page the visitor stays; anything else would send them in circles.
      if (!isPublicPath(router.state.location.pathname)) {
        void router.navigate(`${paths.login}?expired=true`, { replace: true });
      }
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
