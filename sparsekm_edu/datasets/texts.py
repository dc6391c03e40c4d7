"""A small library: short texts on four everyday subjects, written for this course, free for any use.

Some are hard to place by their words alone: a gardener who cooks, a pitch that is a lawn, a moon that plays football.
"""

import numpy as np

SUBJECTS = ("astronomy", "cooking", "football", "gardening")


def documents():
    """40 texts of 40 to 70 words, ten on each of four subjects, in the order of `SUBJECTS`.

    Returns: X (40,) strings; t (40,) strings, the subject of each.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.documents()
    >>> print(len(X), "texts; the first, on", t[0], "begins:", X[0][:37])
    40 texts; the first, on astronomy begins: Galileo turned his small telescope to
    """
    texts = [(text, subject) for subject in SUBJECTS for text in _LIBRARY[subject].values()]
    return tuple(np.array(column, dtype=object) for column in zip(*texts))


def document_titles():
    """The titles of the texts of `documents`, in the same order, (40,) strings. They are not part of the texts.

    >>> from sparsekm_edu import datasets
    >>> print(*datasets.document_titles()[:3], sep=", ")
    Four moons, The spectrum of a star, Waiting for the eclipse
    """
    return np.array([title for subject in SUBJECTS for title in _LIBRARY[subject]], dtype=object)


_LIBRARY = {
    "astronomy": {
        "Four moons": (
            "Galileo turned his small telescope to Jupiter on a cold January night and saw three faint stars in a "
            "row beside it. A week later there were four, and they had moved. They were moons, and they went round "
            "Jupiter, not round the Earth. Any good pair of binoculars shows them today."
        ),
        "The spectrum of a star": (
            "Nobody can visit a star, yet we know what it is made of. Spread its light into a spectrum and dark "
            "lines appear, each at the colour that one element swallows. Helium was found this way in the light of "
            "the sun, before anyone had it in a bottle on Earth."
        ),
        "Waiting for the eclipse": (
            "For two minutes the moon covered the sun completely. Birds fell silent, the air turned cool, and around "
            "the black disc stood the corona, white and thin as breath. People who had waited for years forgot to "
            "take pictures. The next total eclipse over this town will come in a century and a half."
        ),
        "Why the night is dark": (
            "If the universe were endless, old and full of stars, every line of sight would end on one, and the "
            "night sky would shine like the sun. It is dark because the universe is young: light from the most "
            "distant galaxies has not had the time to arrive, and what arrives is stretched towards red."
        ),
        "A comet returns": (
            "The comet was a smudge near the horizon at first, and by March its tail crossed a quarter of the sky. "
            "It is a ball of ice and dust, a few kilometres wide, that boils a little whenever its long orbit brings "
            "it near the sun. The last people who saw it painted it on a church wall."
        ),
        "Buying a first telescope": (
            "The first telescope should be one that you carry outside on a whim. A mirror of fifteen centimetres "
            "shows the rings of Saturn, the moons of Jupiter, craters on our own moon and hundreds of faint "
            "galaxies. Do not buy magnification; buy light. And look at the planets when they stand high in the sky, "
            "where the air is steady."
        ),
        "The rings of Saturn": (
            "The rings of Saturn are wide and thin: from edge to edge they would reach from the Earth most of the "
            "way to the moon, and they are often no thicker than a house. They are made of ice, in pieces from dust "
            "to boulders, each on an orbit of its own. Small moons comb gaps into them."
        ),
        "Planets of other stars": (
            "When a planet passes in front of its star, the light of the star drops by one part in ten thousand. A "
            "telescope in orbit watched a hundred thousand stars for four years and found thousands of planets in "
            "this way. Some are larger than Jupiter and closer to their sun than Mercury is to ours; a year there "
            "lasts three days."
        ),
        "A match in the sky": (
            "Think of the planets as a team that never changes its positions. Mercury is the fast winger, Jupiter "
            "the heavy defender who keeps comets away from the goal. Their game has run for billions of years on the "
            "same flat field, the plane of the orbits, and the sun, like any referee, holds everybody in place."
        ),
        "The kitchen of the elements": (
            "Stars cook. A young star turns hydrogen into helium, slowly, at fifteen million degrees. When that runs "
            "low it gets hotter and bakes carbon and oxygen, and the heaviest recipes, up to iron, are ready in a "
            "day. Then the oven explodes, and its ashes season the next generation of stars and planets."
        ),
    },
    "cooking": {
        "Onion soup": (
            "Slice six onions as thin as you can and give them an hour in butter on a low flame, until they are "
            "brown and sweet. Add a spoon of flour, a glass of white wine and a litre of good stock. Let the soup "
            "simmer, then cover it with bread and cheese and put it under the grill."
        ),
        "Bread without kneading": (
            "Stir flour, water, salt and a very little yeast in a bowl, cover it and go to bed. Overnight the dough "
            "does the work itself. In the morning fold it twice, let it rise again, and bake it in a hot pot with "
            "the lid on. The crust cracks loudly when the loaf cools."
        ),
        "The secret of fried rice": (
            "Use rice from yesterday: fresh rice is wet and sticks. Heat the pan until it smokes, add oil, then egg, "
            "then the rice, and keep everything moving. Soy sauce goes round the edge, where the pan is hottest, "
            "spring onions at the very end. From the first egg to the plate it takes four minutes."
        ),
        "A sauce that will not split": (
            "Mayonnaise is oil persuaded to stay in water. The yolk of an egg does the persuading, with a spoon of "
            "mustard and a few drops of lemon. Add the oil slowly, drop by drop, whisking all the time. If the sauce "
            "splits, begin again with a new yolk and stir the failure into it."
        ),
        "Pancakes at midnight": (
            "We came home hungry and found milk, two eggs and half a bag of flour. My sister beat them into a batter "
            "without measuring anything, melted butter in the pan and threw the first pancake so high that it stuck "
            "to the lamp. The second one was perfect, and we ate it with sugar, standing up."
        ),
        "Tomato sauce": (
            "Warm olive oil in a pan with two cloves of garlic, and take the garlic out when it is golden. Add a tin "
            "of tomatoes, salt and a little sugar, and let the sauce simmer for half an hour. Stir it now and then. "
            "Cook the pasta in plenty of salted water, drain it and mix everything in the pan."
        ),
        "A cake for beginners": (
            "Weigh four eggs in their shells; take the same weight of butter, of sugar and of flour. Stir the butter "
            "with the sugar until it is pale, add the eggs one by one, then the flour, a pinch of salt and the zest "
            "of a lemon. Bake for fifty minutes in the middle of the oven and do not open the door."
        ),
        "Stock from scraps": (
            "Keep the bones of a roast chicken, the ends of leeks and carrots, the stalks of parsley and the skins "
            "of onions. Cover them with cold water in your largest pot, add pepper and a bay leaf, no salt, and let "
            "it simmer for three hours without stirring. Strain the stock, cool it and skim the fat. Soup, rice and "
            "sauce all taste better with it."
        ),
        "What to do with too many courgettes": (
            "In August the garden gives more courgettes than any family wants. Grate them, salt them and squeeze the "
            "water out, then mix them with egg, flour and fresh mint from the pot on the window sill. Fry spoonfuls "
            "of this in olive oil until they are crisp, and serve them with yoghurt and garlic."
        ),
        "Dinner at half time": (
            "When the team comes to watch the final at my place there are fifteen minutes for food. So the chilli is "
            "made the day before: beans, tomatoes, beef, dark chocolate and far too much pepper. At the whistle the "
            "pot is hot, bread is on the table, and nobody has missed a goal."
        ),
    },
    "football": {
        "The penalty": (
            "She put the ball on the spot, took five steps back and did not look at the keeper. The whole stadium "
            "whistled. Then a short run, a shot low into the left corner, and the keeper dived the other way. One "
            "goal in the last minute, and the team that nobody had expected was in the final."
        ),
        "What the offside rule is for": (
            "Without the offside rule a striker could wait in front of the goal all day for a long pass. With it a "
            "player must keep a defender between the ball and the line when the pass is played. So teams have to "
            "build an attack, and the defence can push up and catch them by one step."
        ),
        "A goalkeeper remembers": (
            "In thirty years I played four hundred matches and people ask about one mistake. The ball was wet, I had "
            "it in my hands, and then it was behind me in the net. A keeper is alone with that. The next shot came a "
            "minute later and I saved it, but nobody has a photograph of this."
        ),
        "Promoted on the last day": (
            "Before the last match of the season three clubs had the same points. At half time we were second, then "
            "fourth, then first for six minutes. When the other result came through on the radio the fans ran onto "
            "the pitch, and the coach, who never smiles, sat down on the bench and cried into his scarf."
        ),
        "Pressing": (
            "The idea is simple: lose the ball and hunt for it at once, all eleven together, before the opponent has "
            "lifted his head. Within five seconds it is back, close to their goal. It costs so much running that "
            "most teams press for an hour at best, and many late goals fall because legs are tired."
        ),
        "The derby": (
            "The derby was decided after nine minutes. Their defender slipped, our striker took the ball, went round "
            "the keeper and pushed it into the empty goal. After that both teams played for the whistle: long balls, "
            "throw- ins, two yellow cards. The fans sang anyway, and the coach said that in a month nobody asks how "
            "the points were won."
        ),
        "Coaching children": (
            "Under ten the best coach talks little. Give every child a ball, play small games of four against four "
            "on short pitches, and let them shoot at two goals each. They touch the ball five times as often as in a "
            "big match. Positions, passing patterns and the offside rule can wait; the joy of a goal cannot."
        ),
        "The video referee": (
            "The goal stood for three minutes. Then the referee put a finger to his ear, drew a square in the air "
            "and walked to the screen. The striker had been offside by the width of a hand when the pass was played. "
            "The fans of one team jeered, those of the other cheered, and the match went on in a strange mood."
        ),
        "The lawn keeper": (
            "On match day nobody sees him, but he was here at five in the morning to cut the grass to exactly "
            "twenty-four millimetres. He feeds the roots, waters the soil, and sows new seed in front of the goals, "
            "where boots tear it up. The players want it short and wet, because then the ball runs faster."
        ),
        "A recipe for a cup run": (
            "Take one small club, add a cold Wednesday evening, a sloping pitch and a pinch of luck. Let the "
            "favourites stew for ninety minutes. The first goal came from a corner, the second from a mistake, and "
            "by the end the crowd was boiling over. It was not tasteful football, but the plumber who scored did not "
            "pay for a drink."
        ),
    },
    "gardening": {
        "Sowing tomatoes": (
            "Sow tomatoes in March, in small pots on a warm window sill, one seed to each. When the seedlings have "
            "two pairs of leaves they want more room and deeper soil. Only after the last frost may they go outside, "
            "to the sunniest wall of the garden, tied to a stake, with the side shoots taken out every week."
        ),
        "Make friends with slugs": (
            "Slugs ate my lettuce for three summers. Beer traps drowned a few and called their cousins. What helped "
            "was to water the beds in the morning, not in the evening, to leave the ground rough, and to let a "
            "hedgehog live under the hedge. Now I plant one row for them and four for us."
        ),
        "Compost": (
            "A good heap is made of layers: kitchen peelings and grass for nitrogen, dry leaves and straw for "
            "carbon, a little old soil to bring the worms. Turn it with a fork when it steams. After a year it "
            "smells like a forest floor, and a bucket of it under each shrub is all the feeding it needs."
        ),
        "Pruning the old apple tree": (
            "Prune in February, while the tree sleeps. Take out dead wood first, then whatever crosses or grows "
            "inward, so that a bird could fly through the crown. Cut just above a bud that looks outward. An old "
            "tree forgives a lot, but do not take more than a quarter of the branches in one winter."
        ),
        "A hedge for birds": (
            "Plant hawthorn, hazel and wild roses in autumn, two rows of young plants a foot apart, and mulch the "
            "roots with leaves. For two years it looks like a line of twigs. In the fifth spring there are blossoms "
            "and bees, and in winter the thrushes come for the berries. Cut it late, when the nests are empty."
        ),
        "Watering in a dry summer": (
            "Water the garden seldom and deeply. A can for each plant twice a week sends the roots down to where the "
            "soil stays moist; a sprinkle every evening keeps them near the surface. Mulch the beds with grass or "
            "straw. Pots are another matter: in the sun they need water every day, and the leaves tell you when."
        ),
        "A small lawn": (
            "Sow grass in September, when the soil is warm and rain is near. Dig, rake, tread and rake again, "
            "scatter the seed thinly and keep it moist until it stands as high as a finger. The first cut should "
            "only take the tips. Moss comes where there is shade; plant ferns there and be content."
        ),
        "Roses": (
            "Roses want sun, deep soil and some compost in spring. Plant them so that the graft stands a hand below "
            "the ground, and water the roots, never the leaves. In March cut every shoot back to five buds; in "
            "summer take out what has faded and new flowers will follow. Greenfly goes when the ladybirds and tits "
            "arrive in the garden."
        ),
        "Planting by the moon": (
            "My grandmother sowed beans when the moon was growing and dug potatoes when it was waning. Astronomers "
            "say the light of a full moon is half a million times weaker than the sun, and the soil feels no tide. I "
            "asked her why it worked. She said that people who watch the sky every night also look at their plants."
        ),
        "A bed of herbs by the door": (
            "Thyme, sage and rosemary ask for sun, sand and little water; parsley, chives and mint want shade and "
            "richer soil. Plant them within five steps of the kitchen, or nobody will fetch them while the onions "
            "fry. Pick the tips often and the plants stay bushy. Put mint in a pot, or it eats the whole bed."
        ),
    },
}
