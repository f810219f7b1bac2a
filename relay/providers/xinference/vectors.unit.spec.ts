import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { xinference } from './translate.ts';

replayVectors(xinference, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
