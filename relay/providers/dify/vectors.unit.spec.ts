import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { dify } from './translate.ts';

replayVectors(dify, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
