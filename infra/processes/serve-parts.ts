import type { Bus } from '../ports/bus.ts';
import type { SessionVerifier } from '../ports/sessions.ts';
import type { Foundation } from './foundation.ts';
import { openMetrics } from './metrics-server.ts';
import { consoleServerLimits } from './server-limits.ts';
import { shutDownOnSignal } from './shutdown.ts';
import { watchSiteAddress } from './site-address.ts';
import { createWebApp, listen, type Part, statesOf } from './web-app.ts';

type Plan = Readonly<{
  parts: readonly Part[];
  bus: Bus;
  sessionVerifier: SessionVerifier;
  port: number;
  console: boolean;
  /** Connections, closed last. */
  close: readonly (() => Promise<void>)[];
}>;

/** Runs the parts of a single process until it is told to stop. */
export const serveParts = async (foundation: Foundation, plan: Plan): Promise<void> => {
  const { config, logger } = foundation;
  const site = watchSiteAddress(plan.bus);
  const app = await createWebApp(foundation, plan.parts, {
    console: plan.console,
    limits: consoleServerLimits(foundation),
    isHttps: site.isHttps,
    sessionVerifier: plan.sessionVerifier,
  });
  const port = await listen(app, { host: config.host, port: plan.port });
  const metrics = await openMetrics(foundation, { parts: () => statesOf(plan.parts) });
  await site.start();
  for (const { start } of plan.parts) await start();
  logger.info({ port }, 'ready');
  shutDownOnSignal(logger, [
    { name: 'web', run: () => app.close() },
    ...plan.parts.map(({ name, stop }) => ({ name, run: stop })),
    { name: 'site address', run: site.stop },
    { name: 'metrics', run: metrics.close },
    ...plan.close.map((run) => ({ name: 'connection', run })),
  ]);
};
