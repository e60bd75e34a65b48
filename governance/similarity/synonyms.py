"""Everyday English words that are used for one another: a question seldom takes the words of its answer.

Written for this project. A word may stand in several groups; it is related to all words of each. Words of trades,
products and people are not here: they mean one thing.
"""

from __future__ import annotations

from functools import lru_cache

from governance.similarity.terms import terms

_GROUPS = """
    buy purchase acquire get bought
    sell sale sold
    house home flat apartment residence place
    live reside stay living
    move relocate relocation moved
    job work career occupation profession employment position living
    company firm employer business organisation organization corporation agency
    boss manager supervisor lead director chief
    colleague coworker teammate
    hire recruit employ
    quit resign leave left
    fire dismiss
    promote promotion
    money cash fund budget dollar euro
    pay payment paid salary wage
    cost price expense expensive
    cheap affordable
    earn raise income profit
    donate donation charity
    child kid son daughter children
    parent mother father mom dad mum
    grandmother grandma grandfather grandpa grandparent
    sister brother sibling
    husband wife spouse partner married marriage wedding
    divorce separate
    girlfriend boyfriend date dating relationship romantic
    friend buddy pal
    baby newborn infant
    family relative
    pet dog cat puppy kitten animal
    bird parrot
    car vehicle automobile truck van
    bike bicycle cycle
    plane flight fly airport
    train railway
    boat ship ferry
    trip travel journey vacation holiday visit
    hotel accommodation lodging
    camp camping tent
    hike hiking trail walk
    run running jog jogging marathon race
    swim swimming pool
    sport exercise workout fitness gym training
    win won victory award prize medal trophy
    lose lost loss defeat
    game match tournament competition contest
    team squad group
    play perform performance concert
    music song album band
    instrument violin piano guitar cello
    sing singing choir
    dance dancing
    paint painting draw drawing canvas artwork art
    photo photograph photography picture camera image
    film movie cinema
    book novel read reading
    write writing author
    story tale
    poem poetry
    craft handmade pottery ceramics clay
    cook cooking recipe meal dish
    bake baking cake bread cheesecake
    eat food dinner lunch breakfast meal
    drink coffee tea beverage
    restaurant cafe bar
    garden gardening plant grow
    vegetable crop
    flower bloom blossom
    tree forest wood
    river lake stream canal
    sea ocean beach coast
    mountain hill
    weather rain storm snow
    hot heat warm
    cold freeze freezing
    doctor physician
    nurse medic paramedic
    hospital clinic
    ill sick illness disease
    injury injure hurt wound accident
    operation surgery surgical
    pain ache sore
    medicine medication drug pill
    health healthy
    recover recovery heal
    sleep insomnia rest
    stress stressful anxious anxiety worry nervous
    afraid fear scared frighten
    sad upset cry tear
    happy glad joy delighted
    angry mad furious
    proud pride
    tired exhausted
    relax calm peaceful destress
    love adore enjoy like favorite favourite
    hate dislike
    want wish desire plan intend hope
    decide decision choose choice
    begin start launch
    end finish complete stop
    try attempt
    help assist support aid
    teach teacher instructor coach lesson
    learn study course class
    student pupil
    school university college
    graduate graduation degree
    exam test
    research investigate investigation
    science scientist
    invite invitation
    party celebration celebrate
    birthday anniversary
    gift present
    meet met encounter
    talk speak conversation chat discuss
    call phone telephone
    message text letter email mail
    tell say mention
    ask question request
    answer reply respond response
    suggest suggestion recommend recommendation advice advise tip propose
    agree approve approval accept
    refuse reject deny decline
    promise commit
    show exhibition display exhibit
    perform stage recital
    volunteer volunteering
    community neighborhood neighbourhood
    neighbor neighbour
    country nation homeland
    city town
    street road
    shop store market stall
    door window room
    kitchen bathroom bedroom
    furniture chair table
    cloth clothes dress shirt
    shoe sneaker
    jewelry necklace ring
    religion church faith
    spiritual meditation yoga
    identity transgender lgbtq gay
    adopt adoption
    hobby pastime interest activity
    skill talent ability
    dream goal ambition aim
    idea thought
    problem issue trouble difficulty
    solution solve fix repair
    break broke broken damage
    destroy ruin
    build construct make create
    design plan
    computer laptop software
    program code coding
    phone mobile
    internet website online
    data information
    document file report record
    error bug fault failure fail
    cause reason why
    result outcome effect consequence
    change alter modify
    improve improvement better
    increase rise grow
    decrease fall drop reduce
    big large huge
    small tiny little
    old age year
    new recent
    first initial
    last final
    often frequently
    fast quick quickly
    slow delay
    important significant
    difficult hard tough
    easy simple
    beautiful gorgeous lovely
    famous known
    different various
    same similar
    customer client
    supplier vendor
    order purchase
    invoice bill
    contract agreement
    deadline due
    meeting appointment
    deliver delivery ship shipment shipping
    warehouse storage stock inventory
    product item goods
    refund reimburse reimbursement
    complaint complain
    insurance policy claim
    account profile
    password credential
    server host machine
    database db
    deploy release rollout
    outage downtime incident
    alert alarm warning
    rollback revert
    log trace
    network connection
    latency delay slow
    customer user
    police officer
    firefighter fire
    soldier army military veteran
    government mayor politics
    law legal lawyer court
    crime steal theft stolen
    award prize scholarship
    fundraiser fundraising raise
    protest march rally parade
    workshop seminar conference
    museum gallery
    park playground
    festival fair
    memory remember recall
    symbol represent mean meaning
    motivate inspire inspiration motivation
    experience undergo
    feel feeling emotion
    appreciate grateful thankful
    brave courage
    challenge obstacle
    journey path
    support encourage encouragement
"""


def related(term: str) -> frozenset[str]:
    """The terms that stand in a group with `term`, without itself; none for a word that is in no group."""
    return _related().get(term, _NONE)


_NONE: frozenset[str] = frozenset()


@lru_cache(maxsize=1)
def _related() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _GROUPS.split("\n"):
        group = {term for word in line.split() for term in terms(word)}
        for term in group:
            found.setdefault(term, set()).update(group)
    return {term: frozenset(group - {term}) for term, group in found.items()}
