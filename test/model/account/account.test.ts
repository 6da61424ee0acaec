import { describe, expect, it } from "vitest";
import {
  emailErrors,
  nameErrors,
  normalUsername,
  passwordErrors,
  sameUsername,
  usernameErrors,
} from "../../../src/model/account/account.ts";

describe("usernameErrors", () => {
  it.each([
    ["anna", []],
    ["anna.rossi+cms@example.com", []],
    ["anna_r-2", []],
    ["Анна", []],
    ["x".repeat(150), []],
    ["x".repeat(151), ["Ensure this field has no more than 150 characters."]],
    ["", ["This field may not be blank."]],
    ["anna rossi", [expect.stringMatching(/^Enter a valid username\./)]],
    ["anna/rossi", [expect.stringMatching(/^Enter a valid username\./)]],
    ["anna\n", [expect.stringMatching(/^Enter a valid username\./)]],
    ["<anna>", [expect.stringMatching(/^Enter a valid username\./)]],
  ])("%j: %j", (name, errors) => {
    expect(usernameErrors(name)).toEqual(errors);
  });
});

describe("names", () => {
  it.each([
    ["anna", "Anna", true],
    ["anna", " anna ", true],
    ["ﬁnn", "finn", true], // a ligature looks like two letters
    ["ann\u00e9", "anne\u0301", true],
    ["anna", "anne", false],
  ])("%j and %j are one account: %s", (a, b, same) => {
    expect(sameUsername(a, b)).toBe(same);
  });

  it("are normalised, keeping case", () => {
    expect(normalUsername(" ﬁNN ")).toBe("fiNN");
  });

  it("of a person have at most 150 characters", () => {
    expect(nameErrors("x".repeat(150))).toEqual([]);
    expect(nameErrors("x".repeat(151))).toHaveLength(1);
  });
});

describe("emailErrors", () => {
  it.each([
    ["", true],
    ["anna@example.com", true],
    ["anna@localhost", true],
    ["anna", false],
    ["anna@", false],
    ["@example.com", false],
    ["anna@example..com", false],
    ["anna@exam ple.com", false],
    ["anna@example.com\nBcc: x@example.com", false],
    ["<anna@example.com>", false],
    [`anna@${"x".repeat(250)}.com`, false],
  ])("%j is valid: %s", (email, fine) => {
    expect(emailErrors(email).length === 0).toBe(fine);
  });
});

describe("passwordErrors", () => {
  const short = "This password is too short. It must contain at least 8 characters.";
  const long = "This password is too long. It must not exceed 1024 bytes.";
  const numeric = "This password is entirely numeric.";
  const common = "This password is too common.";
  const similar = "The password is too similar to the username.";
  it.each([
    ["correct horse", []],
    ["8 chars!", []],
    ["7 chars", [short]],
    ["ééééééé", [short]], // characters are counted, not bytes
    ["x".repeat(1024), []],
    ["x".repeat(1025), [long]],
    ["é".repeat(513), [long]],
    ["83627495", [numeric]],
    ["1234", [short, numeric]],
    ["password", [common]],
    ["PassW0rd", [common]],
    ["Anna.Rossi", [similar]],
    ["anna.rossi2", []],
  ])("%j: %j", (password, errors) => {
    expect(passwordErrors(password, "anna.rossi")).toEqual(errors);
  });
});
