import type { Bus } from '../ports/bus.ts';
import type { SessionVerifier } from '../ports/sessions.ts';
import { openMetrics } from './metrics-server.ts';
import type { Runtime } from './runtime.ts';
import { consoleServerLimits } from './server-limits.ts';
import { shutDownOnSignal } from './shutdown.ts';
import { watchSiteAddress } from './site-address.ts';
import { stopListening } from './stop-listening.ts';
import { createWebApp, listen, type ServerModule, statesOf } from './web-app.ts';

type Plan = Readonly<{
  modules: readonly ServerModule[];
  bus: Bus;
  sessionVerifier: SessionVerifier;
  port: number;
  console: boolean;
  /** Connections, closed last. */
  close: readonly (() => Promise<void>)[];
}>;

/** Runs the modules of a single process until it is stopped. */
export const serveModules = async (runtime: Runtime, plan: Plan): Promise<void> => {
  const { config, logger } = runtime;
  const site = watchSiteAddress(plan.bus);
  const app = await createWebApp(runtime, plan.modules, {
    console: plan.console,
    limits: consoleServerLimits(runtime),
    isHttps: site.isHttps,
    sessionVerifier: plan.sessionVerifier,
  });
  const port = await listen(app, { host: config.host, port: plan.port });
  const metrics = await openMetrics(runtime, { modules: () => statesOf(plan.modules) });
  await site.start();
  for (const { start } of plan.modules) await start();
  logger.info({ port }, 'ready');
  shutDownOnSignal(logger, [
    { name: 'listener', run: () => stopListening(app.server) },
    { name: 'web', run: () => app.close() },
    ...plan.modules.map(({ name, stop }) => ({ name, run: stop })),
    { name: 'site address', run: site.stop },
    { name: 'metrics', run: metrics.close },
    ...plan.close.map((run) => ({ name: 'connection', run })),
  ]);
};
