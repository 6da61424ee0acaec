/** The texts of the own account in Italian. */
export const PROFILE_IT = {
  signInMeans: "Accesso e sessioni",
  sessions: "Dove hai effettuato l’accesso",
  sessionsHint: "Se non riconosci un browser, termina la sua sessione e cambia la password.",
  browser: "Browser",
  fromAddress: "Da",
  signedInAt: "Accesso",
  thisBrowser: "Questo browser",
  unknownBrowser: "Un altro programma",
  endSession: "Termina",
  endSessionOf: "Termina la sessione in {browser} da {address}",
  endOtherSessions: "Termina tutte le altre",
  sessionEndedNow: "La sessione è terminata",
  confirmTitle: "Conferma che sei tu",
  confirmHint: "Quello che segue è delicato. Per un quarto d’ora non ti verrà chiesto di nuovo.",
  confirm: "Conferma",
};
