// @ts-check
// The names of openings of chess, by position: the moves that lead to one, its English and its German name.

import { language } from './language.js';
import { state } from './store.js';

const LINES = { chess: `
e2e4,King’s pawn,Königsbauer; d2d4,Queen’s pawn,Damenbauer; c2c4,English,Englisch; g1f3,Réti,Réti; f2f4,Bird,Bird; b2b3,Nimzo-Larsen,Nimzo-Larsen; b1c3,Dunst,Dunst; g2g3,Benko opening,Benkő-Eröffnung
b2b4,Sokolsky,Sokolski; g2g4,Grob,Grob; e2e4c7c5,Sicilian,Sizilianisch; e2e4e7e6,French,Französisch; e2e4c7c6,Caro-Kann,Caro-Kann; e2e4d7d5,Scandinavian,Skandinavisch; e2e4g8f6,Alekhine,Aljechin
e2e4d7d6,Pirc,Pirc; e2e4g7g6,Modern,Modern; e2e4b8c6,Nimzowitsch,Nimzowitsch; e2e4b7b6,Owen,Owen; e2e4e7e5,Open game,Offenes Spiel; e2e4e7e5f2f4,King’s gambit,Königsgambit; e2e4e7e5b1c3,Vienna,Wiener Partie
e2e4e7e5f1c4,Bishop’s opening,Läuferspiel; e2e4e7e5d2d4,Centre game,Mittelgambit; e2e4e7e5g1f3d7d6,Philidor,Philidor; e2e4e7e5d1h5,Wayward queen,Damenangriff
e2e4e7e5g1f3f7f5,Latvian gambit,Lettisches Gambit; e2e4e7e5g1f3,King’s knight,Königsspringerspiel; e2e4e7e5g1f3g8f6,Petrov,Russisch; e2e4e7e5g1f3b8c6b1c3g8f6,Four knights,Vierspringerspiel
e2e4e7e5g1f3b8c6b1c3,Three knights,Dreispringerspiel; e2e4e7e5g1f3b8c6d2d4,Scotch,Schottisch; e2e4e7e5g1f3b8c6c2c3,Ponziani,Ponziani; e2e4e7e5g1f3b8c6f1b5,Ruy Lopez,Spanisch
e2e4e7e5g1f3b8c6f1b5g8f6,Ruy Lopez: Berlin,Spanisch: Berliner Verteidigung; e2e4e7e5g1f3b8c6f1b5a7a6,Ruy Lopez: Morphy,Spanisch: Morphy; e2e4e7e5g1f3b8c6f1b5a7a6b5c6,Ruy Lopez: exchange,Spanisch: Abtausch
e2e4e7e5g1f3b8c6f1b5a7a6b5a4g8f6e1g1f8e7,Ruy Lopez: closed,Spanisch: geschlossen; e2e4e7e5g1f3b8c6f1b5a7a6b5a4g8f6e1g1f6e4,Ruy Lopez: open,Spanisch: offen; e2e4e7e5g1f3b8c6f1c4,Italian,Italienisch
e2e4e7e5g1f3b8c6f1c4f8c5,Giuoco piano,Giuoco piano; e2e4e7e5g1f3b8c6f1c4f8c5b2b4,Evans gambit,Evans-Gambit; e2e4e7e5g1f3b8c6f1c4g8f6,Two knights,Zweispringerspiel
e2e4e7e5g1f3b8c6f1c4c6d4,Blackburne-Shilling,Blackburne-Shilling; e2e4e7e5g1f3b8c6f1c4g8f6f3g5,Two knights: 4.Ng5,Zweispringerspiel: 4.Sg5; e2e4c7c5b1c3,Sicilian: closed,Sizilianisch: geschlossen
e2e4c7c5c2c3,Sicilian: Alapin,Sizilianisch: Alapin; e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3a7a6,Sicilian: Najdorf,Sizilianisch: Najdorf
e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3g7g6,Sicilian: dragon,Sizilianisch: Drachen; e2e4c7c5d2d4c5d4c2c3,Smith-Morra,Morra-Gambit
e2e4c7c5g1f3d7d6d2d4c5d4f3d4g8f6b1c3b8c6,Sicilian: classical,Sizilianisch: klassisch; e2e4c7c5g1f3b8c6d2d4c5d4f3d4g8f6b1c3e7e5,Sicilian: Sveshnikov,Sizilianisch: Sweschnikow
e2e4c7c5g1f3e7e6d2d4c5d4f3d4a7a6,Sicilian: Kan,Sizilianisch: Paulsen; e2e4c7c5g1f3b8c6f1b5,Sicilian: Rossolimo,Sizilianisch: Rossolimo; e2e4e7e6d2d4d7d5b1c3f8b4,French: Winawer,Französisch: Winawer
e2e4e7e6d2d4d7d5b1d2,French: Tarrasch,Französisch: Tarrasch; e2e4e7e6d2d4d7d5e4e5,French: advance,Französisch: Vorstoß; e2e4e7e6d2d4d7d5e4d5e6d5,French: exchange,Französisch: Abtausch
e2e4c7c6d2d4d7d5e4e5,Caro-Kann: advance,Caro-Kann: Vorstoß; e2e4c7c6d2d4d7d5e4d5c6d5c2c4,Panov attack,Panow-Angriff; d2d4d7d5,Closed game,Geschlossenes Spiel; d2d4d7d5c2c4,Queen’s gambit,Damengambit
d2d4d7d5c2c4d5c4,Queen’s gambit accepted,Angenommenes Damengambit; d2d4d7d5c2c4e7e6,Queen’s gambit declined,Abgelehntes Damengambit; d2d4d7d5c2c4c7c6,Slav,Slawisch; d2d4d7d5c1f4,London system,Londoner System
d2d4d7d5c2c4c7c6b1c3g8f6g1f3e7e6,Semi-Slav,Halbslawisch; d2d4d7d5c2c4e7e5,Albin countergambit,Albins Gegengambit; d2d4d7d5c2c4e7e6b1c3c7c5,Tarrasch,Tarrasch; d2d4d7d5g1f3g8f6e2e3,Colle system,Colle-System
d2d4d7d5e2e4,Blackmar gambit,Blackmar-Gambit; d2d4g8f6,Indian,Indisch; d2d4g8f6c1g5,Trompowsky,Trompowsky; d2d4g8f6c2c4e7e6b1c3f8b4,Nimzo-Indian,Nimzo-Indisch
d2d4g8f6c2c4e7e6g1f3b7b6,Queen’s Indian,Damenindisch; d2d4g8f6c2c4e7e6g2g3,Catalan,Katalanisch; d2d4f7f5,Dutch,Holländisch; d2d4g8f6c2c4e7e6g1f3f8b4,Bogo-Indian,Bogo-Indisch
d2d4g8f6c2c4g7g6b1c3f8g7,King’s Indian,Königsindisch; d2d4c7c5,Benoni,Benoni; d2d4g8f6c2c4g7g6b1c3d7d5,Grünfeld,Grünfeld; d2d4g8f6c2c4c7c5d4d5b7b5,Benko gambit,Wolga-Gambit
d2d4g8f6c2c4e7e5,Budapest gambit,Budapester Gambit; d2d4g8f6c2c4c7c5d4d5e7e6,Modern Benoni,Modernes Benoni; c2c4e7e5,English: reversed Sicilian,Englisch: Sizilianisch im Anzug
c2c4c7c5,English: symmetrical,Englisch: Symmetrie; g1f3d7d5g2g3,King’s Indian attack,Königsindischer Angriff; f2f4e7e5,From gambit,Froms Gambit` };

/** The positions after each move of a line; castling moves the rook, too. No rule is needed to know them again. */
function positions(moves) {
  const board = new Map();
  const step = (from, to) => { board.set(to, board.get(from) ?? from); board.set(from, ''); };
  return moves.map((move) => {
    const [from, to] = [move.slice(0, 2), move.slice(2, 4)];
    if (['e1g1', 'e8g8'].includes(move) && (board.get(from) ?? from) === from) step(`h${from[1]}`, `f${from[1]}`);
    step(from, to);
    return [...board].filter(([square, piece]) => square !== piece).sort().join();
  });
}

let named;

function table(game) {
  const entries = LINES[game].trim().split(/[;\n]\s*/).map((entry) => entry.split(','));
  return new Map(entries.map(([line, english, german]) => [positions(line.match(/..../g)).at(-1), language === 'de' ? german : english]));
}

/** The name of the last position up to the one on the board that has one. */
export function openingName() {
  const { info, start, moves, ply } = state;
  if (!Object.hasOwn(LINES, info.name) || info.variant || start) return '';
  named ??= table(info.name);
  return positions(moves.slice(0, ply).map(({ move }) => move)).map((key) => named.get(key)).findLast(Boolean) ?? '';
}
