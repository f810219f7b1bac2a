import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';
import { createCommandApi } from '../../command-api/create-command-api.ts';
import { createPersonalKeys } from '../../command-api/identity/personal-keys.ts';
import { createKeeper, type Keeper } from '../../command-api/keeper/create-keeper.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { createLogins, type LoginEndpoints } from '../../infra/login/create-logins.ts';
import { createTurnstile } from '../../infra/login/turnstile.ts';
import { createMetrics } from '../../infra/metrics/create-metrics.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { HumanCheck } from '../../infra/ports/human-check.ts';
import type { MailMessage, MailServer } from '../../infra/ports/mail.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { WebhookCall, WebhookWorker } from '../../infra/ports/webhooks.ts';
import { nodeSystem } from '../../infra/system/node-system.ts';
import { checkAnswer } from './declared-routes.ts';
import { createMemoryEventStore, type MemoryEventStore } from './memory-event-store.ts';
import { testSessions } from './sessions.ts';
import { silentLogger } from './silent-logger.ts';
import { vaultOf } from './vault.ts';

const nowhere = 'http://127.0.0.1:9';
const nobodyThere: LoginEndpoints = { github: nowhere, githubApi: nowhere, linuxdo: nowhere };

type Options = Readonly<{
  eventStore?: MemoryEventStore;
  bus?: Bus;
  vault?: Vault;
  app?: FastifyInstance;
  trustedProxies?: readonly string[];
  /** Attempts at critical routes for each address. */
  attempts?: number;
  humanCheck?: HumanCheck;
  /** Where the human check is asked, by our own client. */
  turnstileUrl?: string;
  /** Where GitHub and Linux DO are; without them nobody is there. */
  loginEndpoints?: LoginEndpoints;
}>;

/** A mail as it would have gone out. */
type SentMail = MailMessage & Readonly<{ server: MailServer }>;

type SentWebhook = WebhookCall & Readonly<{ worker: WebhookWorker | null }>;

type Answer = Readonly<{
  statusCode: number;
  headers: LightMyRequestResponse['headers'];
  body: Readonly<Record<string, unknown>>;
}>;

export const rootUser = { username: 'root', password: 'correct-horse' } as const;

/** One person at the console: keeps the cookie and sends the user-id header. */
export class Person {
  readonly #app: FastifyInstance;
  userId = -1;
  cookie = '';

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    sent: Readonly<{ body?: object; headers?: Record<string, string> }> = {},
  ): Promise<Answer> {
    const response = await this.#app.inject({
      method,
      url,
      headers: {
        'new-api-user': String(this.userId),
        'accept-language': 'en',
        ...(this.cookie === '' ? {} : { cookie: this.cookie }),
        ...sent.headers,
      },
      ...(sent.body === undefined ? {} : { payload: sent.body }),
    });
    const given = [response.headers['set-cookie'] ?? []].flat();
    const session = given.find((cookie) => String(cookie).startsWith('session='));
    if (session !== undefined) this.cookie = String(session).split(';')[0] ?? '';
    const { statusCode, headers } = response;
    const isJson = String(headers['content-type'] ?? '').startsWith('application/json');
    if (isJson) checkAnswer(`${method} ${url}`, statusCode, response.json());
    return { statusCode, headers, body: isJson ? response.json() : { text: response.body } };
  }

  async signIn(username: string, password: string): Promise<Answer> {
    const answer = await this.call('POST', '/api/user/login', { body: { username, password } });
    const data = answer.body.data as { id: number } | undefined;
    if (data) this.userId = data.id;
    return answer;
  }
}

export type WriteSide = Readonly<{
  app: FastifyInstance;
  eventStore: MemoryEventStore;
  bus: Bus;
  keeper: Keeper;
  /** What was mailed, oldest first. */
  mails: readonly SentMail[];
  /** Webhooks that were called, oldest first. */
  webhooks: readonly SentWebhook[];
  person: () => Person;
  /** The site set up, and its super admin signed in. */
  root: () => Promise<Person>;
  /** Events of one type, oldest first. */
  events: <T>(type: string) => T[];
  stop: () => Promise<void>;
}>;

/** The whole write side over a log and a bus in memory. */
export const startWriteSide = async (options: Options = {}): Promise<WriteSide> => {
  const eventStore = options.eventStore ?? createMemoryEventStore();
  const logger = silentLogger;
  const bus = options.bus ?? createMemoryBus({ logger });
  const metrics = createMetrics({ process: 'test' });
  const clock = () => new Date();
  const mails: SentMail[] = [];
  const webhooks: SentWebhook[] = [];
  const vault = options.vault ?? vaultOf('write-side');
  const keeper = createKeeper({ ...nodeSystem, eventStore, bus, clock, logger, metrics });
  const commandApi = createCommandApi({
    ...nodeSystem,
    eventStore,
    bus,
    onLogReplaced: () => undefined,
    ...testSessions(bus),
    vault,
    clock,
    logger,
    metrics,
    mail: {
      send: async (message, server) => {
        mails.push({ ...message, server });
      },
    },
    webhooks: {
      post: async (call, worker) => {
        webhooks.push({ ...call, worker });
      },
    },
    logins: createLogins(options.loginEndpoints ?? nobodyThere),
    accounts: keeper,
    personalKeys: createPersonalKeys(eventStore, vault),
    settings: {
      trustedProxies: options.trustedProxies ?? [],
      criticalLimit: { count: options.attempts ?? 1_000, windowSeconds: 1_200 },
      humanCheck: options.humanCheck ?? createTurnstile(options.turnstileUrl ?? nowhere),
    },
  });
  const app = options.app ?? Fastify();
  await commandApi.register(app);
  await keeper.start();
  await commandApi.start();
  const person = () => new Person(app);
  return {
    app,
    eventStore,
    bus,
    keeper,
    mails,
    webhooks,
    person,
    async root() {
      const root = person();
      const body = { ...rootUser, confirmPassword: rootUser.password };
      await root.call('POST', '/api/setup', { body });
      await root.signIn(rootUser.username, rootUser.password);
      return root;
    },
    events: <T>(type: string) =>
      eventStore.all.filter(({ event }) => event.type === type).map(({ event }) => event.data as T),
    async stop() {
      await commandApi.stop();
      await keeper.stop();
      await app.close();
      await bus.close();
    },
  };
};
