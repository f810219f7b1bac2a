import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { ali } from './translate.ts';

replayVectors(ali, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
