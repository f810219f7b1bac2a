import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { deepSeek } from './translate.ts';

replayVectors(deepSeek, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
