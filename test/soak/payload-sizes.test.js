import { LIMITS } from '../../server/http/limits.js';
import { describePayloadSizes } from '../support/payload-sizes.js';

describePayloadSizes({ sizes: [0, 1, 500, 1000, 10_000, 100_000, 1_000_000, 10_000_000, LIMITS.payloadBytes] });
