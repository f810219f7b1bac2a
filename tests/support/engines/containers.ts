import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';

/** A container of one engine for one suite. */
export type EngineContainer = Readonly<{ url: string; stop: () => Promise<void> }>;

const startupMs = 90_000;

/**
 * A suite stops its containers itself: the reaper of testcontainers is an image of its own, which a
 * machine without a registry cannot have.
 */
const withoutReaper = (): void => {
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true';
};

export const startPostgresContainer = async (image: string): Promise<EngineContainer> => {
  withoutReaper();
  const container = await new GenericContainer(image)
    .withEnvironment({ POSTGRES_USER: 'tests', POSTGRES_PASSWORD: 'tests', POSTGRES_DB: 'tests' })
    // The server of the image starts twice, the first time for its own setup on a socket alone.
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=200'])
    .withExposedPorts(5432)
    .withWaitStrategy(
      Wait.forAll([
        Wait.forListeningPorts(),
        Wait.forSuccessfulCommand('pg_isready --host=127.0.0.1 --username=tests'),
      ]),
    )
    .withStartupTimeout(startupMs)
    .start();
  return {
    url: `postgres://tests:tests@${container.getHost()}:${container.getMappedPort(5432)}/tests`,
    stop: async () => void (await container.stop()),
  };
};

/** Without TLS and users, as the contract suites and the client's own tests take a node. */
export const startEventStoreContainer = async (image: string): Promise<EngineContainer> => {
  withoutReaper();
  const container = await new GenericContainer(image)
    .withEnvironment({
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_MEM_DB: 'true',
      EVENTSTORE_CLUSTER_SIZE: '1',
      EVENTSTORE_RUN_PROJECTIONS: 'None',
    })
    .withExposedPorts(2113)
    .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204))
    .withStartupTimeout(startupMs)
    .start();
  return {
    url: `esdb://${container.getHost()}:${container.getMappedPort(2113)}?tls=false`,
    stop: async () => void (await container.stop()),
  };
};

/** What a test does to a NATS server of its own, in a container or not. */
export type NatsProcess = Readonly<{
  kill: () => Promise<void>;
  pause: () => Promise<void>;
  resume: () => Promise<void>;
}>;

/**
 * The server as it would run on this machine: same addresses, same folder, same user. So a test may
 * stop it, change what it stores and start it again. Needs Docker on this very machine, on Linux.
 */
export const startNatsContainer = async (
  image: string,
  args: readonly string[],
  folder: string,
): Promise<NatsProcess> => {
  withoutReaper();
  const started = await new GenericContainer(image)
    .withNetworkMode('host')
    .withUser(`${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`)
    .withBindMounts([{ source: folder, target: folder }])
    .withWorkingDir(folder)
    .withCommand([...args])
    .withWaitStrategy(Wait.forLogMessage('Server is ready'))
    .withStartupTimeout(startupMs)
    .start();
  const { container } = await getContainerRuntimeClient();
  const own = container.getById(started.getId());
  return {
    kill: () => own.remove({ force: true, v: true }),
    pause: () => own.pause(),
    resume: () => own.unpause(),
  };
};
