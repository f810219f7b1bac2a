import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { bedrock } from './translate.ts';

replayVectors(bedrock, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
