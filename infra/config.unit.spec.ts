import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from './config.ts';

const messageOf = (env: Record<string, string>): string => {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no error';
};

describe('configuration from the environment', () => {
  test('an empty environment gives the defaults of a single machine', () => {
    expect(loadConfig({})).toEqual({
      port: 3000,
      host: '0.0.0.0',
      dataDir: './data',
      eventStoreUrl: null,
      databaseUrl: null,
      natsUrl: null,
      engineFiles: {
        eventStore: { passwordFile: null, caFile: null },
        database: { passwordFile: null, caFile: null },
        nats: { passwordFile: null, caFile: null },
      },
      natsReplicas: 1,
      secretKey: null,
      secretKeyFile: null,
      logLevel: null,
      trustedProxies: [],
      relayId: null,
      commandApiPort: 3000,
      projectionsPort: 3000,
      relayPort: 3000,
      streamingIdleTimeoutSeconds: 60,
      upstreamHeadersTimeoutSeconds: 300,
      drainSeconds: 60,
      leaseTtlSeconds: 30,
      maxBodyMb: 64,
      translatedMaxBodyMb: 32,
      translatedMaxMessages: 10_000,
      limits: {
        bodyMemoryMb: 256,
        headersTimeoutSeconds: 20,
        bodyIdleTimeoutSeconds: 30,
        bodyTimeoutSeconds: 600,
        maxConnections: 10_000,
        maxConnectionsPerAddress: 2_048,
      },
      metricsPort: null,
      metricsHost: '127.0.0.1',
      apiRateLimit: 180,
      apiUserRateLimit: 3_000,
      loginEndpoints: {
        github: 'https://github.com',
        githubApi: 'https://api.github.com',
        linuxdo: 'https://connect.linux.do',
      },
      turnstileUrl: 'https://challenges.cloudflare.com',
      channelTestMinutes: 0,
      channelUpdateMinutes: 0,
      pollingIntervalSeconds: 0,
      pollsTasks: true,
      otelEndpoint: null,
      otelSamplingRatio: 1,
    });
  });

  test('addresses of login services lose the slash at their end, as paths follow', () => {
    const config = loadConfig({ GITHUB_URL: 'https://git.corp.example/' });
    expect(config.loginEndpoints.github).toBe('https://git.corp.example');
  });

  test('each engine is switched on its own', () => {
    const config = loadConfig({ NATS_URL: 'nats://a:4222, nats://b:4222', DATABASE_URL: '' });
    expect(config.natsUrl).toBe('nats://a:4222, nats://b:4222');
    expect(config.databaseUrl).toBeNull();
    expect(config.eventStoreUrl).toBeNull();
  });

  test('ports of single processes follow PORT unless they are set', () => {
    const config = loadConfig({ PORT: '8080', RELAY_PORT: '9000' });
    expect([config.commandApiPort, config.projectionsPort, config.relayPort]).toEqual([
      8080, 8080, 9000,
    ]);
  });

  test('trusted proxies are addresses and ranges', () => {
    expect(loadConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies).toEqual([
      '10.0.0.0/8',
      '::1',
    ]);
    expect(messageOf({ TRUSTED_PROXIES: '10.0.0.0/33' })).toContain('TRUSTED_PROXIES must be');
  });

  test('memory for bodies follows their largest size, and is never too small for one', () => {
    expect(loadConfig({ MAX_BODY_MB: '200' }).limits.bodyMemoryMb).toBe(800);
    const message = messageOf({ MAX_BODY_MB: '200', BODY_MEMORY_MB: '300' });
    expect(message).toBe('configuration: BODY_MEMORY_MB must be at least twice MAX_BODY_MB');
  });

  test('one line names every bad value and what would be right, without showing secrets', () => {
    const message = messageOf({ PORT: '70000', LOG_LEVEL: 'loud', SECRET_KEY: 'short-secret' });
    expect(message).toBe(
      'configuration: PORT must be a whole number from 0 to 65535; ' +
        'SECRET_KEY must be at least 32 characters; ' +
        'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    );
  });

  test.each([
    ['PORT', '-1'],
    ['PORT', '3000x'],
    ['EVENTSTORE_URL', 'http://localhost:2113'],
    ['DATABASE_URL', 'localhost'],
    ['NATS_URL', 'nats://a:4222,b'],
    ['RELAY_ID', 'a.b'],
    ['MAX_BODY_MB', '0'],
    ['TRANSLATED_MAX_BODY_MB', '0'],
    ['TRANSLATED_MAX_MESSAGES', 'many'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector'],
  ])('%s=%s is refused by name', (name, value) => {
    expect(messageOf({ [name]: value })).toMatch(new RegExp(`^configuration: ${name} must be`));
  });

  test('the configuration cannot be changed afterwards', () => {
    expect(Object.isFrozen(loadConfig({}))).toBe(true);
  });
});
