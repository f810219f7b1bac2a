import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { mistral } from './translate.ts';

replayVectors(mistral, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
