import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router-dom';
import { paths } from '../shared/paths.ts';
import { RequireAdmin, RequireSetup, RequireUser } from './shell/guards.tsx';
import { NotFound } from './shell/not-found.tsx';
import { PageFault } from './shell/page-fault.tsx';
import { Shell } from './shell/shell.tsx';
import { Splash } from './shell/splash.tsx';

/** Each screen is a file of its own, fetched when it is first opened. */
const screen = (path: string, load: () => Promise<ComponentType>): RouteObject => ({
  path,
  lazy: async () => ({ Component: await load() }),
});

const oauthReturn = () => import('../features/account/screens/oauth-return.tsx');

const publicScreens: RouteObject[] = [
  screen(paths.home, async () => (await import('../features/home/screens/home.tsx')).Home),
  screen(paths.about, async () => (await import('../features/about/screens/about.tsx')).About),
  screen(
    paths.pricing,
    async () => (await import('../features/pricing/screens/pricing.tsx')).PricingScreen,
  ),
  screen(paths.reset, async () => (await import('../features/account/screens/reset.tsx')).Reset),
  screen(
    paths.userReset,
    async () => (await import('../features/account/screens/confirm-reset.tsx')).ConfirmReset,
  ),
  screen(paths.setup, async () => (await import('../features/setup/screens/setup.tsx')).Setup),
  screen(paths.login, async () => (await import('../features/account/screens/login.tsx')).Login),
  screen(
    paths.register,
    async () => (await import('../features/account/screens/register.tsx')).Register,
  ),
  screen(paths.oauthGitHub, async () => (await oauthReturn()).GitHubReturn),
  screen(paths.oauthOidc, async () => (await oauthReturn()).OidcReturn),
  screen(paths.oauthLinuxDo, async () => (await oauthReturn()).LinuxDoReturn),
];

const userScreens: RouteObject[] = [
  screen(
    paths.dashboard,
    async () => (await import('../features/dashboard/screens/dashboard.tsx')).Dashboard,
  ),
  screen(
    `${paths.chat}/:chatId?`,
    async () => (await import('../features/chat/screens/chat.tsx')).Chat,
  ),
  screen(
    paths.chatRedirect,
    async () => (await import('../features/chat/screens/chat-redirect.tsx')).ChatRedirect,
  ),
  screen(
    paths.ownProfile,
    async () => (await import('../features/user/screens/own-profile.tsx')).OwnProfile,
  ),
  screen(paths.token, async () => (await import('../features/token/screens/tokens.tsx')).Tokens),
  screen(paths.log, async () => (await import('../features/usage-log/screens/log.tsx')).UsageLog),
  screen(
    paths.drawing,
    async () => (await import('../features/drawing/screens/drawings.tsx')).Drawings,
  ),
  screen(paths.task, async () => (await import('../features/task/screens/tasks.tsx')).Tasks),
  screen(
    `${paths.ledger}/:userId?`,
    async () => (await import('../features/ledger/screens/ledger.tsx')).Ledger,
  ),
  screen(paths.wallet, async () => (await import('../features/wallet/screens/wallet.tsx')).Wallet),
  screen(paths.audit, async () => (await import('../features/audit/screens/audit.tsx')).Audit),
  screen(
    paths.playground,
    async () => (await import('../features/playground/screens/playground.tsx')).Playground,
  ),
  screen(
    paths.personal,
    async () => (await import('../features/personal/screens/personal.tsx')).Personal,
  ),
];

const channels = async () => (await import('../features/channel/screens/channels.tsx')).Channels;

const adminScreens: RouteObject[] = [
  {
    // One route with three addresses, so that the list stays when the drawer opens.
    path: paths.channel,
    lazy: async () => ({ Component: await channels() }),
    children: [
      { index: true, element: null },
      { path: 'add', element: null },
      { path: 'edit/:channelId', element: null },
    ],
  },
  screen(
    paths.projections,
    async () => (await import('../features/projections/screens/projections.tsx')).Projections,
  ),
  screen(
    paths.reconciliation,
    async () => (await import('../features/reconciliation/screens/payments.tsx')).Payments,
  ),
  screen(paths.jobs, async () => (await import('../features/job/screens/jobs.tsx')).Jobs),
  screen(paths.verify, async () => (await import('../features/verify/screens/verify.tsx')).Verify),
  screen(
    paths.redemption,
    async () => (await import('../features/redemption/screens/redemptions.tsx')).Redemptions,
  ),
  screen(
    paths.setting,
    async () => (await import('../features/setting/screens/settings.tsx')).Settings,
  ),
  {
    // As for channels: the list stays when the drawer opens.
    path: paths.user,
    lazy: async () => ({
      Component: (await import('../features/user/screens/users.tsx')).Users,
    }),
    children: [
      { index: true, element: null },
      { path: 'edit/:userId', element: null },
    ],
  },
];

const routes: RouteObject[] = [
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
              ...publicScreens,
              {
                element: <RequireUser />,
                children: [...userScreens, { element: <RequireAdmin />, children: adminScreens }],
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
