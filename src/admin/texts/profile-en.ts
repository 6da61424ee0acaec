/** The texts of the own account in English. */
export const PROFILE_EN = {
  signInMeans: "Sign-in and sessions",
  sessions: "Where you are signed in",
  sessionsHint: "A browser that you do not know: end its session, and change your password.",
  browser: "Browser",
  fromAddress: "From",
  signedInAt: "Signed in",
  thisBrowser: "This browser",
  unknownBrowser: "Another program",
  endSession: "End",
  endSessionOf: "End the session in {browser} from {address}",
  endOtherSessions: "End all others",
  sessionEndedNow: "The session has ended",
  confirmTitle: "Confirm that it is you",
  confirmHint: "What comes next is sensitive. You are not asked again for a quarter of an hour.",
  confirm: "Confirm",
} as const;
