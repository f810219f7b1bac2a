/** The engines of the distributed run, each of which a suite may have from several sources. */
export type EngineName = 'eventStore' | 'postgres' | 'nats';

/** Source of one engine. */
export type Choice =
  | Readonly<{ source: 'url'; url: string }>
  | Readonly<{ source: 'container'; image: string }>
  /** What is there without Docker: an embedded engine, or a `nats-server` on the PATH. */
  | Readonly<{ source: 'local' }>;

export type Choices = Readonly<Record<EngineName, Choice>>;

type EngineSettings = Readonly<{
  title: string;
  urlVariable: string;
  imageVariable: string;
  /** As in `infra/compose.yaml`. */
  defaultImage: string;
  local: string;
}>;

const engineSettings: Readonly<Record<EngineName, EngineSettings>> = {
  eventStore: {
    title: 'EventStoreDB',
    urlVariable: 'TEST_EVENTSTORE_URL',
    imageVariable: 'TEST_EVENTSTORE_IMAGE',
    defaultImage: 'eventstore/eventstore:24.10',
    local: 'the embedded node',
  },
  postgres: {
    title: 'PostgreSQL',
    urlVariable: 'TEST_DATABASE_URL',
    imageVariable: 'TEST_POSTGRES_IMAGE',
    defaultImage: 'postgres:17',
    local: 'the embedded one',
  },
  nats: {
    title: 'NATS',
    urlVariable: 'TEST_NATS_URL',
    imageVariable: 'TEST_NATS_IMAGE',
    defaultImage: 'nats:2.11-alpine',
    local: 'nats-server where it is on the PATH',
  },
};

export const engineNames = Object.keys(engineSettings) as EngineName[];

type Environment = Readonly<Record<string, string | undefined>>;

/** The image of an engine; an empty variable means none. */
export const imageOf = (name: EngineName, environment: Environment): string =>
  environment[engineSettings[name].imageVariable] ?? engineSettings[name].defaultImage;

/**
 * A server that the environment names is preferred, then a container of an image that is there or
 * can be pulled, then what needs no Docker.
 * @param hasImage called only where no server is named
 */
export const chooseEngine = async (
  name: EngineName,
  environment: Environment,
  hasImage: (image: string) => Promise<boolean>,
): Promise<Choice> => {
  const url = environment[engineSettings[name].urlVariable] ?? '';
  if (url !== '') return { source: 'url', url };
  const image = imageOf(name, environment);
  if (image !== '' && (await hasImage(image))) return { source: 'container', image };
  return { source: 'local' };
};

const wordsOf = (name: EngineName, choice: Choice): string => {
  const { urlVariable, local } = engineSettings[name];
  if (choice.source === 'url') return `${urlVariable} (${new URL(choice.url).host})`;
  return choice.source === 'container' ? `a container of ${choice.image}` : local;
};

/** One line for each engine, without credentials. */
export const describeChoices = (choices: Choices): readonly string[] =>
  engineNames.map((name) => `${engineSettings[name].title}: ${wordsOf(name, choices[name])}`);

const variable = 'TOLLGATE_TEST_ENGINES';

/** The choices of a run are made once, by `global-setup.ts`, and handed to the workers in this way. */
export const keepChoices = (choices: Choices): void => {
  process.env[variable] = JSON.stringify(choices);
};

const keptChoices = (): Partial<Choices> => JSON.parse(process.env[variable] ?? '{}');

/** Without choices of the run: the named server, else what needs no Docker. */
export const choiceOf = (name: EngineName): Choice => {
  const kept = keptChoices()[name];
  if (kept !== undefined) return kept;
  const url = process.env[engineSettings[name].urlVariable] ?? '';
  return url === '' ? { source: 'local' } : { source: 'url', url };
};
