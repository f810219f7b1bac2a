import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { mistral } from './index.ts';

replayVectors(mistral, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
