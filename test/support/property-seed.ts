/**
 * Properties try the same values in each run, so that a commit that passed passes again. `PROPERTY_SEED` makes others:
 * run the files of properties with a new one for each round to search for what they miss.
 */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
