import {
  GenericContainer,
  getContainerRuntimeClient,
  type StartedTestContainer,
  Wait,
} from 'testcontainers';

/** A container of one engine for one suite. */
export type EngineContainer = Readonly<{ url: string; stop: () => Promise<void> }>;

const startupMs = 90_000;

/**
 * A suite stops its containers itself: the reaper of testcontainers is a separate image, which a
 * machine without a registry cannot have.
 */
class Engine extends GenericContainer {
  readonly #image: string;
  #id = '';

  constructor(image: string) {
    super(image);
    process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true';
    this.#image = image;
    this.withStartupTimeout(startupMs);
  }

  protected override containerCreated = async (id: string): Promise<void> => {
    this.#id = id;
  };

  /** @throws with the end of the container's log, after it is removed */
  override async start(): Promise<StartedTestContainer> {
    try {
      return await super.start();
    } catch (error) {
      const log = this.#id === '' ? '' : await logOf(this.#id);
      if (this.#id !== '') await removeContainer(this.#id);
      throw new Error(`no container of ${this.#image}: ${String(error)}\n${log}`);
    }
  }
}

const containerOf = async (id: string) => (await getContainerRuntimeClient()).container.getById(id);

const logOf = async (id: string): Promise<string> => {
  const container = await containerOf(id);
  const log = container.logs({ stdout: true, stderr: true, tail: 20 });
  return log.then(String, () => '');
};

/** One that is gone already is no failure. */
const removeContainer = async (id: string): Promise<void> => {
  try {
    await (await containerOf(id)).remove({ force: true, v: true });
  } catch (error) {
    const status = (error as { statusCode?: number }).statusCode;
    // 404: it does not exist; 409: its removal is in progress.
    if (status !== 404 && status !== 409) throw error;
  }
};

export const startPostgresContainer = async (image: string): Promise<EngineContainer> => {
  const container = await new Engine(image)
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
    .start();
  return {
    url: `postgres://tests:tests@${container.getHost()}:${container.getMappedPort(5432)}/tests`,
    stop: () => removeContainer(container.getId()),
  };
};

/** Without TLS and users, as the contract suites and the client's own tests take a node. */
export const startEventStoreContainer = async (image: string): Promise<EngineContainer> => {
  const container = await new Engine(image)
    .withEnvironment({
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_MEM_DB: 'true',
      EVENTSTORE_CLUSTER_SIZE: '1',
      EVENTSTORE_RUN_PROJECTIONS: 'None',
    })
    .withExposedPorts(2113)
    .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204))
    .start();
  return {
    url: `esdb://${container.getHost()}:${container.getMappedPort(2113)}?tls=false`,
    stop: () => removeContainer(container.getId()),
  };
};

/** What a test does to a NATS server, in a container or not. */
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
  const started = await new Engine(image)
    .withNetworkMode('host')
    .withUser(`${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`)
    .withBindMounts([{ source: folder, target: folder }])
    .withWorkingDir(folder)
    .withCommand([...args])
    .withWaitStrategy(Wait.forLogMessage('Server is ready'))
    .start();
  const container = await containerOf(started.getId());
  return {
    kill: () => removeContainer(started.getId()),
    pause: () => container.pause(),
    resume: () => container.unpause(),
  };
};
