import { type Choices, chooseEngine, describeChoices, engineNames, keepChoices } from './choice.ts';
import { canHaveImage, dockerAnswers } from './docker.ts';

type Project = Readonly<{ name: string }>;

/**
 * Before the suites of a project: prints the source of each engine. A choice holds for all of them,
 * so that a registry that does not answer is tried once.
 */
export const setup = async ({ name }: Project): Promise<void> => {
  const hasDocker = await dockerAnswers();
  const hasImage = async (image: string): Promise<boolean> => hasDocker && canHaveImage(image);
  const chosen = await Promise.all(
    engineNames.map(async (engine) => [engine, await chooseEngine(engine, process.env, hasImage)]),
  );
  const choices: Choices = Object.fromEntries(chosen);
  keepChoices(choices);
  process.stdout.write(`Engines of ${name}: ${describeChoices(choices).join('; ')}\n`);
};
