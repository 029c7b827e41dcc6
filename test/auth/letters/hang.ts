import { pino } from "pino";
import { openServices } from "../../../src/services.ts";
import { deliverLetters } from "../../../src/auth/letters/deliver-letters.ts";
import { deliverResetLetters } from "../../../src/auth/letters/deliver-reset-letters.ts";
import { readProcessConfig } from "../../../src/config/config.ts";

/** A node that delivers letters until it is killed. */
const services = await openServices(readProcessConfig(), pino({ level: "silent" }));
await Promise.all([deliverLetters(services), deliverResetLetters(services)]);
