import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { volcEngine } from './translate.ts';

replayVectors(volcEngine, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
