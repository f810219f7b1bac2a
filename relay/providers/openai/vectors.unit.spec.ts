import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { openai } from './index.ts';

replayVectors(openai.translate, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
