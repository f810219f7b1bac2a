import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { jina } from './translate.ts';

replayVectors(jina, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
