import { createBrowserRouter, type RouteObject } from 'react-router-dom';
import { type PathName, paths } from '../shared/paths.ts';
import { type Screen, screens } from './screens.tsx';
import { RequireAdmin, RequireSetup, RequireUser } from './shell/guards.tsx';
import { NotFound } from './shell/not-found.tsx';
import { PageFault } from './shell/page-fault.tsx';
import { Shell } from './shell/shell.tsx';
import { Splash } from './shell/splash.tsx';

const routeOf = (path: string, { load, parameter, drawers }: Screen): RouteObject => ({
  path: parameter ? `${path}/${parameter}` : path,
  lazy: async () => ({ Component: await load() }),
  ...(drawers && {
    children: [
      { index: true, element: null },
      ...drawers.map((drawer) => ({ path: drawer, element: null })),
    ],
  }),
});

const routesFor = (access: Screen['access']): RouteObject[] =>
  (Object.entries(screens) as [PathName, Screen][])
    .filter(([, screen]) => screen.access === access)
    .map(([name, screen]) => routeOf(paths[name], screen));

/** Living examples of tokens and components; a built console does not have them. */
const designRoutes: RouteObject[] = import.meta.env.DEV
  ? [
      {
        path: '/design',
        HydrateFallback: Splash,
        lazy: async () => ({
          Component: (await import('./design/design-page.tsx')).DesignPage,
        }),
      },
    ]
  : [];

const routes: RouteObject[] = [
  ...designRoutes,
  {
    element: <RequireSetup />,
    errorElement: <PageFault />,
    HydrateFallback: Splash,
    children: [
      {
        element: <Shell />,
        children: [
          {
            errorElement: <PageFault />,
            children: [
              ...routesFor('public'),
              {
                element: <RequireUser />,
                children: [
                  ...routesFor('user'),
                  { element: <RequireAdmin />, children: routesFor('admin') },
                ],
              },
              { path: '*', element: <NotFound /> },
            ],
          },
        ],
      },
    ],
  },
];

export const createRouter = () => createBrowserRouter(routes);
