import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { palm } from './translate.ts';

replayVectors(palm, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
