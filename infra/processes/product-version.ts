import { readFileSync } from 'node:fs';
import { projectPath } from './entry-paths.ts';

/** As `package.json` has it. */
export const productVersion = (): string => {
  const text = readFileSync(projectPath('package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
};
