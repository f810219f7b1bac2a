import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { custom } from './translate.ts';

replayVectors(custom, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
