import type { Foundation } from './foundation.ts';
import { shutDownOnSignal } from './shutdown.ts';
import { createWebApp, listen, type Part } from './web-app.ts';

type Plan = Readonly<{
  parts: readonly Part[];
  port: number;
  console: boolean;
  /** Connections, closed last. */
  close: readonly (() => Promise<void>)[];
}>;

/** Runs the parts of a single process until it is told to stop. */
export const serveParts = async (foundation: Foundation, plan: Plan): Promise<void> => {
  const { config, logger } = foundation;
  const app = await createWebApp(foundation, plan.parts, { console: plan.console });
  const port = await listen(app, { host: config.host, port: plan.port });
  for (const { start } of plan.parts) await start();
  logger.info({ port }, 'ready');
  shutDownOnSignal(logger, [
    { name: 'web', run: () => app.close() },
    ...plan.parts.map(({ name, stop }) => ({ name, run: stop })),
    ...plan.close.map((run) => ({ name: 'connection', run })),
  ]);
};
