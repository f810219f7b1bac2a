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
  const endSession = async () => {
    // First away, then forget: a page without its person would send them to the bare login page.
    // On a public page the visitor stays; anything else would send them in circles.
    if (!isPublicPath(router.state.location.pathname)) {
      await router.navigate(`${paths.login}?expired=true`, { replace: true });
    }
    clearUser();
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'site' });
  };
  configureApi({ language: currentLanguage, onUnauthorised: () => void endSession() });
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
