import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { siliconFlow } from './translate.ts';

replayVectors(siliconFlow, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
