import { isIP } from 'node:net';
import { z } from 'zod';
import {
  type EngineFiles,
  engineFilesOf,
  engineVariables,
  serverListOf,
} from './config-engines.ts';
import {
  type LimitConfig,
  limitProblem,
  limitsOf,
  limitVariables,
  whole,
} from './config-limits.ts';

/** The environment holds a value that cannot be used. The message is one line and names them all. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`configuration: ${problems.join('; ')}`);
    this.name = 'ConfigError';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** The environment, parsed once and passed on as arguments. */
export type Config = Readonly<{
  /** 0 takes any free port. */
  port: number;
  host: string;
  /** Folder of the embedded engines, the journals and the generated secret key. */
  dataDir: string;
  /** null: the embedded engine. Each of the three is independent. */
  eventStoreUrl: string | null;
  databaseUrl: string | null;
  natsUrl: string | null;
  /** Files with the password and the certificate authority of each; `withEngineFiles` reads them. */
  engineFiles: EngineFiles;
  /** Servers that keep a copy of each stream and bucket in a NATS cluster. */
  natsReplicas: number;
  /** The master key, or what was printed for one kind of process. */
  secretKey: string | null;
  /** A file that holds it instead; null with both: `loadSecretKey` keeps one in `dataDir`. */
  secretKeyFile: string | null;
  /** null: that of a terminal, or of a log file. */
  logLevel: LogLevel | null;
  /** Addresses and CIDR ranges whose `X-Forwarded-For` counts. */
  trustedProxies: readonly string[];
  relayId: string | null;
  /** Ports of the single processes of the distributed mode; `port` where unset. */
  commandApiPort: number;
  projectionsPort: number;
  relayPort: number;
  /** Seconds without a byte from upstream after which a stream counts as broken. */
  streamingIdleTimeoutSeconds: number;
  /** Seconds to wait for the response headers of upstream. */
  upstreamHeadersTimeoutSeconds: number;
  /** Seconds that an upstream response is read on for its usage after the client has gone. */
  drainSeconds: number;
  /** Seconds without a heartbeat after which the leases of a relay expire. */
  leaseTtlSeconds: number;
  /** Largest request body that the relay takes, in MiB. */
  maxBodyMb: number;
  /** The same where a request has to be translated for its provider, and messages it may hold. */
  translatedMaxBodyMb: number;
  translatedMaxMessages: number;
  limits: LimitConfig;
  /** Where `/metrics` and the details of `/readyz` are; null: the default port, or a free one. */
  metricsPort: number | null;
  metricsHost: string;
  /** Calls below `/api` in 180 seconds: of one address, of one user. 0 does not count them. */
  apiRateLimit: number;
  apiUserRateLimit: number;
  /** Where people sign in by GitHub and Linux DO; an enterprise server has different addresses. */
  loginEndpoints: Readonly<{ github: string; githubApi: string; linuxdo: string }>;
  /** The service that checks whether a person is in front of the screen. */
  turnstileUrl: string;
  /** Minutes between rounds of channel tests and of balances; 0: manually only. */
  channelTestMinutes: number;
  channelUpdateMinutes: number;
  /** Seconds between two channels of such a round. */
  pollingIntervalSeconds: number;
  /** Tasks are polled at providers of drawings and music; false: manually only. */
  pollsTasks: boolean;
  /** Where OpenTelemetry traces and metrics go; null: nowhere. */
  otelEndpoint: string | null;
  /** Part of the calls that are traced, of those whose callers do not decide it; 0 to 1. */
  otelSamplingRatio: number;
}>;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const port = whole(0, 65_535);

const ratio = z
  .string()
  .refine((text) => /^(0?\.\d{1,9}|[01](\.0*)?)$/.test(text), 'must be a number from 0 to 1')
  .transform(Number);

const isUrlOf = (text: string, schemes: readonly string[]): boolean =>
  URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1));

const urlOf = (...schemes: readonly string[]) => {
  const [first] = schemes;
  return z
    .string()
    .refine((text) => isUrlOf(text, schemes), `must be a URL such as ${first}://host:port`);
};

/** Kept without a slash at the end, as paths are added to it. */
const webAddress = (usual: string) =>
  urlOf('https', 'http')
    .default(usual)
    .transform((text) => text.replace(/\/+$/, ''));

/** Several servers of one cluster are named in one variable, separated by commas. */
const natsUrl = z
  .string()
  .refine(
    (text) => text.split(',').every((part) => isUrlOf(part.trim(), ['nats', 'tls'])),
    'must be a URL such as nats://host:4222, several separated by commas',
  );

const eventStoreUrl = z.string().refine((text) => {
  const { before, servers, after } = serverListOf(text) ?? { before: '', servers: [''], after: '' };
  const schemes = ['esdb', 'esdb+discover', 'esdb+unix'];
  return servers.every((server) => isUrlOf(`${before}${server}${after}`, schemes));
}, 'must be a URL such as esdb://host:2113, further hosts separated by commas');

const isAddressOrRange = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
};

const addressList = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine(
    (parts) => parts.every(isAddressOrRange),
    'must be IP addresses or CIDR ranges separated by commas, such as 10.0.0.0/8,::1',
  );

/** Of `SECRET_KEY`, in characters. */
export const minSecretLength = 32;
const secretExpectation = `must be at least ${minSecretLength} characters`;

const environmentSchema = z.object({
  PORT: port.default(3000),
  HOST: z.string().default('0.0.0.0'),
  DATA_DIR: z.string().default('./data'),
  EVENTSTORE_URL: eventStoreUrl.optional(),
  DATABASE_URL: urlOf('postgres', 'postgresql').optional(),
  NATS_URL: natsUrl.optional(),
  ...engineVariables,
  SECRET_KEY: z.string().min(minSecretLength, secretExpectation).optional(),
  SECRET_KEY_FILE: z.string().optional(),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).optional(),
  TRUSTED_PROXIES: addressList.default([]),
  RELAY_ID: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "-" or "_"')
    .optional(),
  COMMAND_API_PORT: port.optional(),
  PROJECTIONS_PORT: port.optional(),
  RELAY_PORT: port.optional(),
  STREAMING_IDLE_TIMEOUT_SECONDS: whole(1, 3_600).default(60),
  UPSTREAM_HEADERS_TIMEOUT_SECONDS: whole(1, 3_600).default(300),
  DRAIN_SECONDS: whole(0, 3_600).default(60),
  LEASE_TTL_SECONDS: whole(3, 3_600).default(30),
  MAX_BODY_MB: whole(1, 1_024).default(64),
  TRANSLATED_MAX_BODY_MB: whole(1, 1_024).default(32),
  TRANSLATED_MAX_MESSAGES: whole(1, 1_000_000).default(10_000),
  ...limitVariables,
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  API_RATE_LIMIT: whole(0, 1_000_000).default(180),
  API_USER_RATE_LIMIT: whole(0, 1_000_000).default(3_000),
  GITHUB_URL: webAddress('https://github.com'),
  GITHUB_API_URL: webAddress('https://api.github.com'),
  LINUXDO_URL: webAddress('https://connect.linux.do'),
  TURNSTILE_URL: webAddress('https://challenges.cloudflare.com'),
  CHANNEL_TEST_FREQUENCY: whole(0, 525_600).default(0),
  CHANNEL_UPDATE_FREQUENCY: whole(0, 525_600).default(0),
  POLLING_INTERVAL: whole(0, 3_600).default(0),
  UPDATE_TASK: z.enum(['true', 'false'], 'must be true or false').default('true'),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOf('http', 'https').optional(),
  OTEL_TRACES_SAMPLER_ARG: ratio.default(1),
});

/** An empty variable, as compose files pass it on, counts as unset. */
const withoutEmpty = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));

type Values = z.infer<typeof environmentSchema>;

/** null: the engine that is embedded, or none. */
const enginesOf = (values: Values) => ({
  eventStoreUrl: values.EVENTSTORE_URL ?? null,
  databaseUrl: values.DATABASE_URL ?? null,
  natsUrl: values.NATS_URL ?? null,
});

/** Of processes that run on their own. */
const portsOf = (values: Values) => ({
  commandApiPort: values.COMMAND_API_PORT ?? values.PORT,
  projectionsPort: values.PROJECTIONS_PORT ?? values.PORT,
  relayPort: values.RELAY_PORT ?? values.PORT,
});

/** @throws ConfigError */
export const loadConfig = (env: Environment): Config => {
  const parsed = environmentSchema.safeParse(withoutEmpty(env));
  if (!parsed.success) {
    const problems = new Map(parsed.error.issues.map((i) => [i.path.join('.'), i.message]));
    throw new ConfigError([...problems].map(([name, expectation]) => `${name} ${expectation}`));
  }
  const values = parsed.data;
  const limits = limitsOf(values, values.MAX_BODY_MB);
  const problem = limitProblem(limits, values.MAX_BODY_MB);
  if (problem !== null) throw new ConfigError([problem]);
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    dataDir: values.DATA_DIR,
    ...enginesOf(values),
    engineFiles: engineFilesOf(values),
    natsReplicas: values.NATS_REPLICAS,
    secretKey: values.SECRET_KEY ?? null,
    secretKeyFile: values.SECRET_KEY_FILE ?? null,
    logLevel: values.LOG_LEVEL ?? null,
    trustedProxies: Object.freeze(values.TRUSTED_PROXIES),
    relayId: values.RELAY_ID ?? null,
    ...portsOf(values),
    streamingIdleTimeoutSeconds: values.STREAMING_IDLE_TIMEOUT_SECONDS,
    upstreamHeadersTimeoutSeconds: values.UPSTREAM_HEADERS_TIMEOUT_SECONDS,
    drainSeconds: values.DRAIN_SECONDS,
    leaseTtlSeconds: values.LEASE_TTL_SECONDS,
    maxBodyMb: values.MAX_BODY_MB,
    translatedMaxBodyMb: values.TRANSLATED_MAX_BODY_MB,
    translatedMaxMessages: values.TRANSLATED_MAX_MESSAGES,
    limits,
    metricsPort: values.METRICS_PORT ?? null,
    metricsHost: values.METRICS_HOST,
    apiRateLimit: values.API_RATE_LIMIT,
    apiUserRateLimit: values.API_USER_RATE_LIMIT,
    loginEndpoints: Object.freeze({
      github: values.GITHUB_URL,
      githubApi: values.GITHUB_API_URL,
      linuxdo: values.LINUXDO_URL,
    }),
    turnstileUrl: values.TURNSTILE_URL,
    channelTestMinutes: values.CHANNEL_TEST_FREQUENCY,
    channelUpdateMinutes: values.CHANNEL_UPDATE_FREQUENCY,
    pollingIntervalSeconds: values.POLLING_INTERVAL,
    pollsTasks: values.UPDATE_TASK === 'true',
    otelEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    otelSamplingRatio: values.OTEL_TRACES_SAMPLER_ARG,
  });
};
