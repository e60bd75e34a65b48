"""English words that carry no topic. Negations are not among them: they change what a sentence says."""

from __future__ import annotations

_TOPICLESS = """
    a about above after again against all also am an and any are as at be because been before being below between
    both but by can could did do does doing down during each either few for from further get gets got had has have
    having he her here hers herself him himself his how i if in into is it its itself just let like ll may me might
    more most much must my myself of off on once only onto or other our ours ourselves out over own per please re
    same shall she should so some such than that the their theirs them themselves then there these they this those
    through to too under until up upon us very via was we were what when where whether which while who whom whose
    why will with within would yes you your yours yourself yourselves
"""

_NEGATIVE = "no not nor none never neither cannot without nothing nobody nowhere"

STOP_WORDS = frozenset(_TOPICLESS.split())
NEGATIONS = frozenset(_NEGATIVE.split())
